/** The heads of a table of numbers; the first column holds words. */
export function Heads({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr className="label text-right">
        {names.map((name, i) => (
          <th key={name} scope="col" className={i === 0 ? 'text-left font-medium' : 'px-1 font-medium'}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
