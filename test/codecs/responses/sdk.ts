import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createOpenAI } from '@ai-sdk/openai'
import OpenAI4 from 'openai-4'
import OpenAI5 from 'openai-5'
import OpenAI6 from 'openai-6'
import OpenAI7 from 'openai-7'

/** A server that answers every request with the same bytes. */
export async function serve(contentType: string, body: string) {
  const server = createServer((asked, answer) => {
    asked.resume().once('end', () => answer.setHeader('content-type', contentType).end(body))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const options = { baseURL, apiKey: 'k', maxRetries: 0 }
  return {
    // Typed as the newest: what is called here they all have.
    clients: {
      v4: new OpenAI4(options) as unknown as OpenAI7,
      v5: new OpenAI5(options) as unknown as OpenAI7,
      v6: new OpenAI6(options) as unknown as OpenAI7,
      v7: new OpenAI7(options),
    },
    aiSdk: createOpenAI(options),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
