import {
  ApiError,
  type Content,
  type FunctionDeclaration,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from 'genai-3'

import type { Client, Conversation, Helper, Opening, Said } from './client.ts'

export const generateClient: Client = {
  open,
  isRaised: (error) => error instanceof ApiError,
  done: 'STOP',
  waiting: 'STOP',
}

function open({ url, key, model, stream, system, helpers }: Opening): Conversation {
  const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  const contents: Content[] = []
  const config = {
    ...(system && { systemInstruction: system }),
    ...(helpers && { tools: [{ functionDeclarations: helpers.map(declarationOf) }] }),
  }

  const ask = async (parts: Part[]) => {
    contents.push({ role: 'user', parts })
    const request = { model, contents, config }
    const chunks = stream
      ? await gather(await models.generateContentStream(request))
      : [await models.generateContent(request)]
    contents.push({ role: 'model', parts: chunks.flatMap(partsOf) })
    return readChunks(chunks)
  }

  return {
    say: (text) => ask([{ text }]),
    answer: (calls, text) =>
      ask(
        calls.map(({ id, name }) => {
          return { functionResponse: { ...(id && { id }), name, response: { output: text } } }
        }),
      ),
  }
}

function declarationOf({ name, about, takes }: Helper): FunctionDeclaration {
  return { name, description: about, parametersJsonSchema: takes }
}

async function gather<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const chunks: T[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

function partsOf({ candidates }: GenerateContentResponse): Part[] {
  return candidates?.[0]?.content?.parts ?? []
}

function readChunks(chunks: readonly GenerateContentResponse[]): Said {
  const parts = chunks.flatMap(partsOf)
  const usage = chunks.map(({ usageMetadata }) => usageMetadata).findLast(Boolean)
  return {
    text: parts.map(({ text = '', thought }) => (thought ? '' : text)).join(''),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall
        ? [{ id: functionCall.id, name: functionCall.name ?? '', input: functionCall.args }]
        : [],
    ),
    ending: chunks.map(({ candidates }) => candidates?.[0]?.finishReason).findLast(Boolean),
    usage: [usage?.promptTokenCount, usage?.candidatesTokenCount],
  }
}
