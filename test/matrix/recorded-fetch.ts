/** The `fetch` of an SDK, and what the gateway said of losses on the way. */
export interface RecordedFetch {
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** The fields that `x-dragoman-losses` named, each once. */
  readonly lost: Set<string>
}

export function recordFetch(): RecordedFetch {
  const lost = new Set<string>()
  return {
    lost,
    async fetch(input, init) {
      const response = await fetch(input, init)
      const told = response.headers.get('x-dragoman-losses') ?? ''
      for (const field of told.split(',')) if (field.trim()) lost.add(field.trim())
      return response
    },
  }
}
