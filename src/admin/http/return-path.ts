import { graphiqlPath } from './page-style.ts'

/** The path of the console; its pages and files lie below. */
export const consolePath = '/console'

const home = `${consolePath}/`

/** A path and a query; no backslash, quote or control character, which browsers read in ways of their own. */
const shape = /^\/console\/[\w\-.~%!$&()*+,;=:@/?]{0,1000}$/

/**
 * The page to which a sign-in at the provider returns: a page of the console, or GraphiQL, which is the only one where the
 * configuration leaves the console out. A link that an attacker chooses leads nowhere else.
 */
export function returnPathOf(asked: string | null | undefined, hasConsole: boolean): string {
  if (asked === graphiqlPath || !hasConsole) return graphiqlPath
  if (!asked || !shape.test(asked)) return home
  // Dot segments, encoded ones too, leave the console.
  const url = URL.parse(asked, 'http://own')
  return url?.host === 'own' && url.pathname.startsWith(home) ? asked : home
}
