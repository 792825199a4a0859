import { answerJson, answerStream, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { type DialectName, type Reading, readers } from '../translate/clients/index.ts'
import { questions } from '../translate/kernel.ts'
import type { WireReply } from './replies/index.ts'

/** What a client gets: bytes, and what it understands of them. */
export interface Got {
  readonly status: number
  readonly wire: string
  reading(): Reading
}

/** How SDKs and gateways call an account that speaks a dialect. */
const providerOf = {
  chat: 'openai',
  responses: 'openai',
  messages: 'anthropic',
  generate: 'gemini',
} as const

/** A gateway in front of an account that answers everything with the same bytes. */
export async function openHouse(speaks: DialectName, { stream, body }: WireReply) {
  const answer = stream === undefined ? answerJson(body) : answerStream([stream])
  const account = await startFakeAccount(answer)
  const isVersioned = providerOf[speaks] === 'openai'
  const gateway = await createTestGateway({
    accounts: [
      {
        id: 'a',
        provider: providerOf[speaks],
        baseUrl: isVersioned ? `${account.url}/v1` : account.url,
        apiKey: 'account-secret',
        speaks: [speaks],
        models: { m: 'upstream-model' },
      },
    ],
  })
  return {
    ask: (client: DialectName) => ask(gateway, client, stream !== undefined),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

async function ask(
  gateway: { readonly url: string; readonly key: string },
  client: DialectName,
  stream: boolean,
): Promise<Got> {
  const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const paths = {
    chat: '/v1/chat/completions',
    responses: '/v1/responses',
    messages: '/v1/messages',
    generate: `/v1beta/models/m:${verb}`,
  }
  const response = await fetch(gateway.url + paths[client], {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': gateway.key,
      ...(client === 'messages' && { 'anthropic-version': '2023-06-01' }),
    },
    body: JSON.stringify({ ...questions[client], ...(client !== 'generate' && { stream }) }),
  })
  const wire = await textOf(response)
  return { status: response.status, wire, reading: () => read(client, response, wire, stream) }
}

/** What came before the connection broke, if it does. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of body ?? []) chunks.push(chunk)
  } catch {
    // Some dialects say so that a stream broke.
  }
  return Buffer.concat(chunks).toString()
}

function read(client: DialectName, { status }: Response, wire: string, stream: boolean): Reading {
  if (status === 200) {
    return stream ? readers[client].stream(wire) : readers[client].body(JSON.parse(wire))
  }
  const { error } = JSON.parse(wire) as { error: { message: string } }
  const failure = error.message
  return { text: '', thoughts: '', calls: [], stop: '', usage: {}, ending: 'failed', failure }
}
