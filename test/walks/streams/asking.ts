import type { TestGateway } from '../../../src/testing/gateway.ts'
import type { Form } from './forms.ts'

export interface Asking {
  readonly model?: string
  readonly stream?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Further fields of the body. */
  readonly fields?: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
}

/** A client that asks for a stream in one of the forms, unless told otherwise. */
export function ask(
  gateway: Pick<TestGateway, 'url' | 'key'>,
  form: Form,
  options: Asking = {},
): Promise<Response> {
  const { model = 'm', stream = true, headers, fields, signal } = options
  return fetch(gateway.url + form.path(model, stream), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      ...form.headers,
      ...headers,
    },
    body: JSON.stringify({ ...form.body(model, stream), ...fields }),
    ...(signal && { signal }),
  })
}

export interface Received {
  readonly text: string
  /** The connection ended before the reply did. */
  readonly reset: boolean
}

/** Reads a reply to its end, good or bad. */
export async function receive(response: Response): Promise<Received> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk)
    return { text: Buffer.concat(chunks).toString(), reset: false }
  } catch {
    return { text: Buffer.concat(chunks).toString(), reset: true }
  }
}

/** Reads until the text so far satisfies the condition; the rest stays unread. */
export async function receiveUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  condition: (text: string) => boolean,
): Promise<string> {
  let text = ''
  while (!condition(text)) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`The reply ended before this was true of it: ${text}`)
    text += Buffer.from(value).toString()
  }
  return text
}
