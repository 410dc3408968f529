import type { Behaviour } from './behaviour';

/** What Plex calls a film that it knows nothing about. */
export function scannedTitle(path: string, behaviour: Pick<Behaviour, 'scannedTitle'>): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const stem = name.replace(/\.[^.]+$/, '') || name;
  return behaviour.scannedTitle === 'cleaned' ? cleaned(stem) || stem : stem;
}

/** As much of the cleaning as matters to a client: the title is not the file's name any more. */
function cleaned(stem: string): string {
  const year = /[([.-][12]\d{3}[)\].,_+-]/.exec(`${stem}.`);
  return (year && year.index > 0 ? stem.slice(0, year.index) : stem)
    .replace(/\[[^\]]*\]/g, '')
    .split(/[ \-_.()+]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join(' ');
}

/** The default of Plex's hidden preference "ArticleStrings". */
const articles = new Set(['the', 'das', 'der', 'a', 'an', 'el', 'la']);

/** What Plex sorts a title by until somebody says otherwise. */
export function sortTitle(title: string, behaviour: Pick<Behaviour, 'sortArticles'>): string {
  const [first = '', ...rest] = title.split(' ');
  if (!behaviour.sortArticles || rest.length === 0 || !articles.has(first.toLowerCase())) return title;
  return rest.join(' ').trimStart() || title;
}
