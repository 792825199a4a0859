import {
  ApiError,
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
  ThinkingLevel,
} from 'genai-3'

import type {
  Call,
  Conversation,
  Driver,
  Opening,
  Part as SaidPart,
  Problem,
  Reply,
  Settings,
} from '../conversation.ts'

/** Users keep the contents themselves; of a stream they make one, since calls must stand together. */
export const generateDriver: Driver = { open, problemOf }

function open(opening: Opening): Conversation {
  const { settings, fetch } = opening
  const contents: Content[] = []
  const config = configOf(settings)

  const ask = async (parts: Part[]) => {
    const { url, key, model, stream } = opening
    const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, fetch } })
    contents.push({ role: 'user', parts })
    const request = { model, contents, config }
    const chunks = stream
      ? await gather(await models.generateContentStream(request))
      : [await models.generateContent(request)]
    contents.push({ role: 'model', parts: chunks.flatMap(partsOf) })
    return readChunks(chunks)
  }

  return {
    say: (parts) => ask(parts.map(partOf)),
    answer: (results) =>
      ask(
        results.map(({ call, text }) => {
          const { id, name } = call
          return { functionResponse: { ...(id && { id }), name, response: { output: text } } }
        }),
      ),
  }
}

async function gather<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const chunks: T[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

function configOf(settings: Settings): GenerateContentConfig {
  const { system, tools, forced, schema, reasoning, search, stop, maxTokens } = settings
  const mode = FunctionCallingConfigMode.ANY
  return {
    ...(system && { systemInstruction: system }),
    ...(tools && { tools: [{ functionDeclarations: tools.map(declarationOf) }] }),
    ...(search && { tools: [{ googleSearch: {} }] }),
    ...(forced && {
      toolConfig: { functionCallingConfig: { mode, allowedFunctionNames: [forced] } },
    }),
    ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
    ...(reasoning && {
      thinkingConfig: { includeThoughts: true, thinkingLevel: ThinkingLevel.MEDIUM },
    }),
    ...(stop && { stopSequences: [stop] }),
    ...(maxTokens && { maxOutputTokens: maxTokens }),
  }
}

function declarationOf({ name, description, parameters }: NonNullable<Settings['tools']>[number]) {
  return { name, description, parametersJsonSchema: parameters }
}

function partOf(part: SaidPart): Part {
  if ('text' in part) return { text: part.text }
  const { type, data } = 'image' in part ? part.image : part.document
  return { inlineData: { mimeType: type, data } }
}

function readChunks(chunks: readonly GenerateContentResponse[]): Reply {
  const parts = chunks.flatMap(partsOf)
  const finish = chunks.map(({ candidates }) => candidates?.[0]?.finishReason).findLast(Boolean)
  const blocked = chunks.map(({ promptFeedback }) => promptFeedback?.blockReason).find(Boolean)
  const usage = chunks.map(({ usageMetadata }) => usageMetadata).findLast(Boolean)
  const output = (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0)
  const said = (thought: boolean) =>
    parts.map((part) => ((part.thought ?? false) === thought ? (part.text ?? '') : '')).join('')
  return {
    text: said(false),
    reasoning: said(true),
    refusal: '',
    calls: parts.flatMap(({ functionCall }): Call[] =>
      functionCall
        ? [{ id: functionCall.id, name: functionCall.name ?? '', input: functionCall.args }]
        : [],
    ),
    ending: blocked ?? finish ?? '',
    usage: { input: usage?.promptTokenCount, output: usage && output },
  }
}

function partsOf({ candidates }: GenerateContentResponse): Part[] {
  return candidates?.[0]?.content?.parts ?? []
}

interface Envelope {
  readonly error?: {
    readonly message?: string
    readonly details?: readonly { readonly metadata?: { readonly field?: string } }[]
  }
}

/** The message ends with the envelope of the error, as it came. */
function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) throw error
  const { status } = error
  const told = (JSON.parse(error.message.slice(error.message.indexOf('{'))) as Envelope).error
  const field = told?.details?.[0]?.metadata?.field
  return { raised: error.constructor.name, status, message: told?.message ?? '', field }
}
