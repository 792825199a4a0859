import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import type { Sandbox } from '../../../src/sandbox/index.ts'
import { neutral } from './codec.ts'

/** What a strict account answers to a request. */
export async function post(
  sandbox: Sandbox,
  told: Partial<GenerateRequest>,
  model = 'sandbox/echo',
): Promise<Response> {
  const { path, query, headers, body } = generateCodec.encodeRequest(neutral(told), model, () => {})
  return fetch(`${sandbox.url}${path}${query === undefined ? '' : `?${query}`}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'sandbox-key-a', ...headers },
    body: JSON.stringify(body),
  })
}
