export interface IntrospectionOptions {
  /** An endpoint of OAuth 2.0 Token Introspection (RFC 7662). */
  readonly url: string
  /** The header with which the gateway identifies itself to the service: `Bearer ...`, `Basic ...`. */
  readonly authorization?: string
  /** From the request to the end of the answer. Default: 2 s. */
  readonly timeoutMs?: number
}

/** A token that is valid at present. */
export interface Token {
  readonly subject: string
  readonly scopes: ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly expiresAt: number | undefined
}

/**
 * Asks the service about a token; `undefined` means that it is not valid. Rejects if the service does
 * not tell: no answer in time, another status than 200, an answer that is no introspection.
 */
export async function introspect(
  token: string,
  { url, authorization, timeoutMs = 2_000 }: IntrospectionOptions,
): Promise<Token | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json', ...(authorization && { authorization }) },
    body: new URLSearchParams({ token }),
    // A redirect would take the token to another place.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error) => {
    const { name, cause } = error
    throw new Error(cause instanceof Error ? cause.message : name)
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`it answered ${response.status}`)
  }
  return read(await response.json().catch((error: Error) => unreadable(error.name)))
}

function read(answer: unknown): Token | undefined {
  const { active, sub, scope, exp } = Object(answer) as Record<string, unknown>
  if (active === false) return undefined
  if (active !== true || typeof sub !== 'string' || sub === '')
    return unreadable('no `active`, `sub`')
  return {
    subject: sub,
    scopes: new Set(typeof scope === 'string' ? scope.split(' ') : []),
    expiresAt: typeof exp === 'number' ? exp * 1_000 : undefined,
  }
}

/** Without the answer's text, which may repeat the token. */
function unreadable(reason: string): never {
  throw new Error(`its answer is no introspection: ${reason}`)
}
