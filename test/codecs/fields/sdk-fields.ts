import type { Name } from '../samples/index.ts'
import { type SdkType, SdkTypes } from './sdk-types.ts'

/** A type of an SDK and the place of its fields in a request. */
interface Source extends SdkType {
  /** The path of a field in a request; `undefined` for a field that the SDK does not send. */
  readonly place?: (field: string) => string | undefined
}

const openai = (file: string, name: string): Source => ({
  file: `openai-7/resources/${file}.d.ts`,
  name,
})
const anthropic = (file: string, name: string): Source => ({
  file: `anthropic-1/resources/${file}.d.ts`,
  name,
})
const gemini = (name: string, place: (field: string) => string | undefined): Source => ({
  file: 'genai-3/dist/genai.d.ts',
  name,
  place,
})

/** Members of `GenerateContentConfig` that are for the SDK itself, or that other sources describe. */
const notSent =
  /^(?:abortSignal|automaticContinuation|automaticFunctionCalling|httpOptions|systemInstruction|tools)\b/

/** Members of `GenerateContentConfig` that the SDK writes beside `generationConfig`. */
const besideConfig =
  /^(?:cachedContent|continuationToken|labels|modelArmorConfig|safetySettings|serviceTier|store|toolConfig)\b/

function placeInGemini(field: string): string | undefined {
  if (notSent.test(field)) return undefined
  if (field.startsWith('generationOutputConfig')) return field.replace(/^\w+/, 'outputConfig')
  return besideConfig.test(field) ? field : `generationConfig.${field}`
}

/** The types of the requests that the gateway translates, counts of tokens included. */
const sources: Readonly<Record<Name, readonly Source[]>> = {
  responses: [
    openai('responses/responses', 'ResponseCreateParamsNonStreaming'),
    openai('responses/input-tokens', 'InputTokenCountParams'),
  ],
  chat: [openai('chat/completions/completions', 'ChatCompletionCreateParamsNonStreaming')],
  messages: [
    anthropic('messages/messages', 'MessageCreateParamsNonStreaming'),
    anthropic('messages/messages', 'MessageCountTokensParams'),
    anthropic('beta/messages/messages', 'MessageCreateParamsNonStreaming'),
    anthropic('beta/messages/messages', 'MessageCountTokensParams'),
  ],
  generate: [
    gemini('Content', (field) => `contents[].${field}`),
    gemini('Content', (field) => `systemInstruction.${field}`),
    gemini('Tool', (field) => `tools[].${field}`),
    gemini('GenerateContentConfig', placeInGemini),
  ],
}

/** Whether a field is inside another one. */
export function isInside(field: string, whole: string): boolean {
  return field === whole || field.startsWith(`${whole}.`) || field.startsWith(`${whole}[`)
}

/**
 * Every field that the types of the newest official SDK of a dialect have in a request. Fields that are
 * `wholes` are listed without those inside them.
 */
export function sdkFields(
  wholes: (name: Name) => readonly string[],
): Readonly<Record<Name, ReadonlySet<string>>> {
  using types = new SdkTypes(Object.values(sources).flat())
  const fieldsOf = (name: Name) => {
    const settled = wholes(name)
    const fields = sources[name].flatMap(({ place = (same) => same, ...type }) => {
      const isWhole = (field: string) => {
        const placed = place(field)
        return placed !== undefined && settled.some((whole) => isInside(placed, whole))
      }
      return types.fieldsOf(type, isWhole).flatMap((field) => place(field) ?? [])
    })
    return new Set(fields)
  }
  return {
    responses: fieldsOf('responses'),
    chat: fieldsOf('chat'),
    messages: fieldsOf('messages'),
    generate: fieldsOf('generate'),
  }
}
