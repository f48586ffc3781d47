import { SearchBox } from '#ui/search-box.tsx';
import { Empty } from '#ui/states.tsx';

export type ListToolsProps = { words: string; onChange: (words: string) => void; isEmpty: boolean };

/** Search over the whole list, and the reason for an empty result. */
export function ListTools({ words, onChange, isEmpty }: ListToolsProps) {
  return (
    <>
      <div className="mx-4 mb-2">
        <SearchBox label="Search coins" placeholder="Search by name or symbol" value={words} onSearch={onChange} />
      </div>
      {isEmpty &&
        (words ? (
          <Empty title={`No coins match “${words}”`} />
        ) : (
          <Empty title="No coins on your watchlist" note="Select the star beside a coin to add it." />
        ))}
    </>
  );
}
