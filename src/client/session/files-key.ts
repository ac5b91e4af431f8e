/**
 * The database of the files that wait for a reload of their tab. The same key says in `localStorage`
 * until when, and in `sessionStorage` which of them is this tab's.
 */
export const FILES = "kept-files";
