import * as genai1 from 'genai-1'
import * as genai2 from 'genai-2'
import type { GoogleGenAIOptions, HttpOptions } from 'genai-3'
import * as genai3 from 'genai-3'

import { isWholeRun } from '../../daily-rows.ts'
import type { Walk } from './walk.ts'

type GenAI = genai3.GoogleGenAI

/** One major of the SDK in one of its modes. The tests are written in the newest one's types. */
export interface GenAIVersion {
  readonly name: string
  readonly ApiError: typeof genai3.ApiError
  /** Where it looks for `sandbox/echo`. */
  readonly path: string
  /** The oldest SDK takes an error inside a stream for an empty chunk. */
  readonly hearsErrors: boolean
  /** The newest SDK makes videos in enterprise mode alone. */
  readonly makesVideos: boolean
  connect({ gateway }: Walk, options?: { apiKey?: string; httpOptions?: HttpOptions }): GenAI
}

const enterprise = '/v1beta1/publishers/sandbox/models/echo'

const versions: [major: string, sdk: unknown, mode: GoogleGenAIOptions, path: string][] = [
  ['1', genai1, {}, '/v1beta/models/sandbox/echo'],
  ['1', genai1, { vertexai: true }, enterprise],
  ['2', genai2, {}, '/v1beta/models/sandbox/echo'],
  ['2', genai2, { vertexai: true }, enterprise],
  ['3', genai3, {}, '/v1/models/sandbox/echo'],
  ['3', genai3, { enterprise: true }, enterprise],
]

/** In the daily run the oldest in one mode, and the newest in both. */
const ofRun = versions.filter(([major], at) => isWholeRun || at === 1 || major === '3')

export const genaiVersions: GenAIVersion[] = ofRun.map(([major, sdk, mode, path]) => {
  const { GoogleGenAI, ApiError } = sdk as typeof genai3
  const [modeName = 'developer'] = Object.keys(mode)
  return {
    name: `@google/genai ${major}, ${modeName} mode`,
    ApiError,
    path,
    hearsErrors: major !== '1',
    makesVideos: major !== '3' || modeName !== 'developer',
    connect: ({ gateway }, { apiKey = gateway.key, httpOptions } = {}) =>
      new GoogleGenAI({ ...mode, apiKey, httpOptions: { baseUrl: gateway.url, ...httpOptions } }),
  }
})

/** The text of some chunks, without the thoughts. The SDK's own `text` warns of every other part. */
export function textOf(chunks: readonly genai3.GenerateContentResponse[]): string {
  const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  return parts.map(({ text = '', thought }) => (thought ? '' : text)).join('')
}
