import type { ClientOptions } from 'openai-7'
import OpenAI4 from 'openai-4'
import OpenAI5 from 'openai-5'
import OpenAI6 from 'openai-6'
import OpenAI7 from 'openai-7'

import { isWholeRun } from '../../daily-rows.ts'
import type { Walk } from './walk.ts'

/** One major of the SDK. The tests are written in the newest one's types. */
export interface OpenAIVersion {
  readonly name: string
  readonly OpenAI: typeof OpenAI7
  connect({ gateway }: Walk, options?: ClientOptions): OpenAI7
}

const all = { 4: OpenAI4, 5: OpenAI5, 6: OpenAI6, 7: OpenAI7 }
const majors = (isWholeRun ? all : { 4: OpenAI4, 7: OpenAI7 }) as unknown as {
  [major: string]: typeof OpenAI7
}

/** Each major; the oldest and the newest in the daily run. */
export const openaiVersions: OpenAIVersion[] = Object.entries(majors).map(([major, OpenAI]) => ({
  name: `openai ${major}`,
  OpenAI,
  connect: ({ gateway }, options) =>
    new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, ...options }),
}))

/** `stream` and `runTools` of chat, which stood under `beta` before version 5. */
export function chatHelpers(client: OpenAI7): OpenAI7['chat']['completions'] {
  const { chat = client.chat } = client.beta as { chat?: OpenAI7['chat'] }
  return chat.completions
}

/** Where an error holds the id of its request, which had another name before version 5. */
export function requestIdOf(error: object): unknown {
  return 'requestID' in error ? error.requestID : (error as { request_id?: unknown }).request_id
}
