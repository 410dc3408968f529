/**
 * What Plex sorts a title by when nobody says otherwise: the title without its leading article. The articles are
 * the default of Plex's hidden preference "ArticleStrings"; a server where somebody changed it sorts by ours.
 *
 * Holds: never empty unless the title is; a title that is nothing but an article stays.
 */
const leadingArticle = /^\s*(?:the|das|der|a|an|el|la)\s+(?=\S)/iu;

export const sortTitle = (title: string): string => title.replace(leadingArticle, '');
