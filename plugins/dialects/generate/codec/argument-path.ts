/** A step into an object or a list. */
export type PathStep = string | number

/** `.name`, `[0]`, `['name']` or `["name"]`. */
const step = /\.([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]/y

/** In characters. The search for a quoted name of many millions would overflow the stack. */
const longestPath = 16_384

/**
 * Reads the path of a piece of arguments, a JSON Path (RFC 9535) with names and indexes: `$.days[0].hour`. A
 * path that ends in `[]` names a list itself. Returns `undefined` for other paths, and for one of more
 * than 16,384 characters.
 */
export function readArgumentPath(
  path: string,
): { readonly steps: readonly PathStep[]; readonly isList: boolean } | undefined {
  const isList = path.endsWith('[]')
  const end = isList ? path.length - 2 : path.length
  if (path.length > longestPath || !path.startsWith('$')) return undefined
  const steps: PathStep[] = []
  step.lastIndex = 1
  while (step.lastIndex < end) {
    const found = step.exec(path)
    if (!found || step.lastIndex > end) return undefined
    const [, name, index, quoted] = found
    const key = name ?? (quoted && unquote(quoted))
    if (key === undefined && index === undefined) return undefined
    steps.push(key ?? Number(index))
  }
  return { steps, isList }
}

/** Reads a quoted name. In single quotes, `\\'` stands for a quote and `"` needs no backslash. */
function unquote(quoted: string): string | undefined {
  const content = quoted.slice(1, -1)
  const json = quoted.startsWith("'")
    ? content.replaceAll(/\\.|"/g, (found) =>
        found === "\\'" ? "'" : found === '"' ? '\\"' : found,
      )
    : content
  try {
    return JSON.parse(`"${json}"`) as string
  } catch {
    return undefined
  }
}
