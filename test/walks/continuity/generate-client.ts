import { type Content, type FunctionCall, GoogleGenAI } from 'genai-3'

import { collect } from '../sdk/walk.ts'
import { type Client, type Said, tools } from './conversation.ts'

/** Keeps all parts of an answer, of its chunks too, as one content. */
export const generateClient: Client = {
  name: 'a Gemini client',
  speaks: 'generate',
  open(where) {
    const contents: Content[] = []
    let called: FunctionCall[] = []

    async function say(): Promise<Said> {
      const { gateway, model, stream } = where
      const httpOptions = { baseUrl: gateway.url }
      const { models } = new GoogleGenAI({ apiKey: gateway.key, httpOptions })
      const functionDeclarations = tools.map(({ parameters, ...tool }) => {
        return { ...tool, parametersJsonSchema: parameters }
      })
      const config = {
        thinkingConfig: { includeThoughts: true },
        tools: [{ functionDeclarations }],
      }
      const asked = { model, contents, config }
      const replies = stream
        ? await collect(await models.generateContentStream(asked))
        : [await models.generateContent(asked)]
      const said = replies.flatMap(({ candidates }) => candidates?.[0]?.content ?? [])
      const parts = said.flatMap((content) => content.parts ?? [])
      contents.push({ role: 'model', parts })
      called = parts.flatMap(({ functionCall }) => functionCall ?? [])
      return {
        text: parts.map(({ text = '', thought }) => (thought ? '' : text)).join(''),
        calls: called.map(({ id = '', name = '' }) => ({ id, name })),
      }
    }

    return {
      ask(text) {
        contents.push({ role: 'user', parts: [{ text }] })
        return say()
      },
      answer(results) {
        const parts = called.map(({ id, name }, index) => {
          const response = { output: results[index]! }
          return { functionResponse: { ...(id && { id }), ...(name && { name }), response } }
        })
        contents.push({ role: 'user', parts: parts.toReversed() })
        return say()
      },
    }
  },
}
