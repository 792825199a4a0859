import { hash } from 'node:crypto'
import { type OutgoingHttpHeaders, request } from 'node:http'

/** An answer of the admin address. */
export interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
  /** The code of the first error. */
  readonly code: string | undefined
}

/** What is sent; `body` in several pieces has no content-length. */
export interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | readonly string[]
}

/** Sends a request with any headers, Host and Origin included, which `fetch` does not let callers set. */
export function send(
  base: string,
  { method = 'POST', path, headers, body }: Sent,
): Promise<Answer> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path: path ?? '/graphql', headers: headers ?? {} },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            code: codeOf(text),
          }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    for (const piece of typeof body === 'string' ? [] : (body ?? [])) sent.write(piece)
    sent.end(typeof body === 'string' ? body : undefined)
  })
}

/** The proof that the page of GraphiQL has, with which the requests of its session come from it. */
export async function proofOf(base: string, cookie: string): Promise<string> {
  const page = await send(base, { method: 'GET', path: '/graphiql', headers: { cookie } })
  return /id="root" data-proof="([\w-]{43})"/.exec(page.text)?.[1] ?? 'none'
}

function codeOf(text: string): string | undefined {
  try {
    const { errors } = JSON.parse(text) as { errors?: { extensions?: { code?: string } }[] }
    return errors?.[0]?.extensions?.code
  } catch {
    return undefined
  }
}

/** The operations that sessions of the console may run, besides the operations of the build. */
export const testOperations = new Map<string, string>()

/** An operation as a session of the console sends it. */
export function persisted(query: string, headers: OutgoingHttpHeaders, variables?: object): Sent {
  const sha256Hash = hash('sha256', query)
  testOperations.set(sha256Hash, query)
  return {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ variables, extensions: { persistedQuery: { version: 1, sha256Hash } } }),
  }
}

/** An operation in JSON, with these headers besides. */
export function operation(query: string, headers: OutgoingHttpHeaders, variables?: object): Sent {
  return {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  }
}
