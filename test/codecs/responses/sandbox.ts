import type { JsonObject } from '../../../src/lib/json/object.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import { encode } from './codec.ts'

/** An account that refuses what OpenAI refuses. */
export async function startAccount() {
  const sandbox = await startSandbox()
  const { url } = sandbox
  return {
    /** What it answers to a body. */
    async post(body: JsonObject) {
      const headers = { authorization: 'Bearer sandbox-key-a', 'content-type': 'application/json' }
      const sent = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${url}/v1/responses`, sent)
      return { status: answer.status, text: await answer.text() }
    },
    /** What it answers to a request in neutral words. */
    async ask(request: GenerateRequest, model = 'gpt-5'): Promise<JsonObject> {
      const { status, text } = await this.post(encode(request, model))
      if (status !== 200) throw new Error(`${status}: ${text}`)
      return JSON.parse(text) as JsonObject
    },
    /** The frames that it streams in answer. */
    async stream(request: GenerateRequest, model: string): Promise<string> {
      return (await this.post(encode({ ...request, stream: true }, model))).text
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  }
}
