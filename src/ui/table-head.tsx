/** The header row of a table; hidden on a phone, which shows a list of blocks. */
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
