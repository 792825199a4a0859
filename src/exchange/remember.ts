/** Clients choose the names of headers, so that the cache is bounded: a head may be one name. */
const mostNames = 1_000
/** In characters. */
const longestName = 64

/** Caches a decision by header name. */
export function remember(decide: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    let decision = known.get(name)
    if (decision === undefined) {
      decision = decide(name)
      if (known.size < mostNames && name.length <= longestName) known.set(name, decision)
    }
    return decision
  }
}
