import { filterInWords, filterLabels } from "./filter-words.ts";
import { filterNames, type View } from "./view.ts";

/** The filters that narrow the list now; pressing one takes it away. */
export function FilterChips({ view, onShow }: { view: View; onShow: (view: View) => void }) {
  const active = filterNames.filter((name) => view.filters[name]);
  if (active.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label="Active filters">
      {active.map((name) => {
        const words = `${filterLabels[name]}: ${filterInWords(name, view.filters[name] ?? "")}`;
        const { [name]: _, ...filters } = view.filters;
        return (
          <li key={name}>
            <button
              type="button"
              className="tag"
              aria-label={`Remove the filter ${words}`}
              onClick={() => onShow({ ...view, filters })}
            >
              {words} <span aria-hidden="true">×</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
