import type { RecordLoss, EncodedRequest } from '../../../../../src/contract/codec.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { encodeContents } from './encode-contents.ts'
import { encodeOptions, encodeOutput } from './encode-options.ts'
import { isMedium } from './encode-results.ts'
import { encodeTools } from './encode-tools.ts'
import { type ModelFacts, modelFacts } from './models.ts'
import { accountModelPath } from '../../../shared/google-paths.ts'
import { DeclaredToolNames } from '../tool-names.ts'

/** Encodes a request for an account of the Gemini API. A stream always uses server-sent events. */
export function encodeRequest(
  request: GenerateRequest,
  upstreamModel: string,
  drop: RecordLoss,
): EncodedRequest {
  const model = modelFacts(upstreamModel)
  const names = new DeclaredToolNames(request.tools)
  noteResultMedia(request, model, drop)
  const output = encodeOutput(request, model, drop)
  const generationConfig = { ...encodeOptions(request, model, drop), ...output.options }
  return {
    path: accountModelPath(
      upstreamModel,
      request.stream ? 'streamGenerateContent' : 'generateContent',
    ),
    ...(request.stream && { query: 'alt=sse' }),
    body: {
      contents: encodeContents(request, names, model, drop),
      ...encodeSystem(request, output.instruction),
      ...encodeTools(request, names, drop),
      ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
      ...encodeService(request, drop),
    },
  }
}

/** The API's tiers, by the names of all dialects; `auto` leaves the choice to the account. */
const tiers = new Map([
  ['default', 'standard'],
  ['standard', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
])

/** Encodes the service tier, and whether the provider may log the call. */
function encodeService(
  { serviceTier = 'auto', store, fields }: GenerateRequest,
  drop: RecordLoss,
): JsonObject {
  const tier = tiers.get(serviceTier)
  if (!tier && serviceTier !== 'auto') {
    drop(fields.service_tier ?? 'service_tier', 'the Gemini API has no such tier')
  }
  return defined({ serviceTier: tier, store })
}

/** Records media in tool results as a loss: older models support only text there. */
function noteResultMedia(
  { turns, fields }: GenerateRequest,
  { isThirdGeneration }: ModelFacts,
  drop: RecordLoss,
): void {
  const results = turns.flatMap((turn) => (turn.role === 'tool' ? turn.results : []))
  if (isThirdGeneration || !results.some(({ content }) => content.some(isMedium))) return
  drop(
    fields.tool_result_media ?? 'tool results',
    'the model supports only text in tool results; the media follow the result',
  )
}

/** Encodes all system texts, wherever they are in the conversation. */
function encodeSystem({ turns }: GenerateRequest, instruction: string | undefined): JsonObject {
  const system = turns.flatMap((turn) => (turn.role === 'system' ? turn.content : []))
  const texts = [...system.map(({ text }) => text), ...(instruction ? [instruction] : [])]
  const parts = texts.filter((text) => text !== '').map((text) => ({ text }))
  return parts.length > 0 ? { systemInstruction: { parts } } : {}
}
