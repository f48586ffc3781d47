/** The line of a table's columns; a list of blocks on a phone has none to see. */
export function TableHead({ heads }: { heads: readonly string[] }) {
  return (
    <thead className="max-sm:sr-only">
      <tr className="border-y border-line">
        {heads.map((head) => (
          <th key={head} scope="col" className="label px-4 py-2 last:text-right">
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}
