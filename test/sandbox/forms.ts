import type { Sandbox } from '../../src/sandbox/index.ts'

export type Part = [name: string, value: string | File]

/** Posts a form with these parts in this order, with the key of account `a`. */
export function postForm(
  { url }: Sandbox,
  path: string,
  parts: Part[],
  headers: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return fetch(url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key-a', ...headers },
    body: form,
  })
}

/** Posts a body as it is, said to be of this type. */
export function postRaw(
  { url }: Sandbox,
  path: string,
  contentType: string,
  body: string,
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key-a', 'content-type': contentType },
    body,
  })
}

/** Posts JSON with the key of account `a`. */
export function postJson(sandbox: Sandbox, path: string, body: object): Promise<Response> {
  return postRaw(sandbox, path, 'application/json', JSON.stringify(body))
}

/** The status and the error of an answer. */
export async function refusalOf(response: Response) {
  const { error } = (await response.json()) as { error?: Record<string, unknown> }
  return { status: response.status, ...error }
}
