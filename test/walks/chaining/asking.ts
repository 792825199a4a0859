import type OpenAI from 'openai-7'
import type { ClientOptions } from 'openai-7'

import { caught } from '../sdk/walk.ts'
import { openaiVersions } from '../sdk/openai.ts'
import type { Ground } from './grounds.ts'
import { clients, model, type Stage } from './stage.ts'

export type Response = OpenAI.Responses.Response
type Fields = Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>

const [newest] = openaiVersions.slice(-1)

/** The SDK of a client with its own key. It does not try again by itself, unless told to. */
export function connect(
  stage: Stage,
  sdk: Ground['sdk'] | undefined = newest,
  options: ClientOptions = {},
): OpenAI {
  if (!sdk) throw new Error('There is no SDK.')
  return sdk.connect(stage, { apiKey: clients.mine, maxRetries: 0, ...options })
}

/** Both ways to ask for a response. */
export const ways = [
  { way: 'in one piece', stream: false },
  { way: 'streamed', stream: true },
] as const

/** Asks for a response, in one of the two ways, and reads it to its end. */
export async function ask(
  client: OpenAI,
  fields: Fields = {},
  { stream, headers = {} }: { stream: boolean; headers?: Record<string, string> } = {
    stream: false,
  },
): Promise<Response> {
  const request = { model, input: 'hi', ...fields }
  if (!stream) return client.responses.create({ ...request, stream: false }, { headers })
  let last: Response | undefined
  for await (const event of await client.responses.create(
    { ...request, stream: true },
    { headers },
  )) {
    if ('response' in event) last = event.response
  }
  if (!last) throw new Error('The stream had no response.')
  return last
}

/** Which account made a response: the sandbox writes it into the ids. */
export function accountOf({ id }: { id: string }): string | undefined {
  return id.split('_')[1]
}

/** How a call was refused, as the SDK tells it. */
export async function refusal(sdk: Ground['sdk'], asked: Promise<unknown>) {
  const error = await caught(sdk.OpenAI.APIError, asked)
  const headers = new Headers(error.headers)
  return {
    name: error.constructor.name,
    status: error.status as number | undefined,
    shouldRetry: headers.get('x-should-retry'),
    body: error.error as Record<string, unknown>,
  }
}

/** The envelope of chaining (docs/wire/contract.md 5), and what SDKs are told beside it. */
export function chaining(
  status: 400 | 503,
  code: string,
  message: string,
  shouldRetry: 'true' | 'false' | null = 'false',
) {
  return {
    name: status === 400 ? 'BadRequestError' : 'InternalServerError',
    status,
    shouldRetry,
    body: { type: 'invalid_request_error', code, param: 'previous_response_id', message },
  }
}

/** The refusal of a response that the key has, but that no request can continue. */
export function notContinued(id: string) {
  const message =
    `Previous response with id '${id}' not found. It exists, but a request can continue only a response that has ended ` +
    'as `completed` and whose whole conversation this service has: send its output and the messages before it in ' +
    '`input`, or retrieve it until it is completed if it runs in the background.'
  return chaining(400, 'previous_response_not_found', message)
}

export function notFound(id: string) {
  const message = `Previous response with id '${id}' not found.`
  return chaining(400, 'previous_response_not_found', message)
}
