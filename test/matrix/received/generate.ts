import {
  type Content,
  FunctionCallingConfigMode,
  type FunctionDeclaration,
  type GenerationConfig,
  type Part,
  type ToolConfig,
} from 'genai-3'

import { joinTurns, type Received, type ReceivedTurn } from './received.ts'

interface Request {
  readonly systemInstruction?: Content
  readonly contents: readonly Content[]
  readonly tools?: readonly Tool[]
  readonly toolConfig?: ToolConfig
  readonly generationConfig?: GenerationConfig
}

interface Tool {
  readonly functionDeclarations?: readonly FunctionDeclaration[]
  readonly googleSearch?: object
}

export function readGenerateRequest(request: Request, url: string): Received {
  const { systemInstruction, contents, tools = [], toolConfig, generationConfig = {} } = request
  const choice = toolConfig?.functionCallingConfig
  const { thinkingConfig, stopSequences = [], maxOutputTokens } = generationConfig
  return {
    system: textOf(systemInstruction?.parts),
    turns: joinTurns(contents.map(readContent)),
    tools: tools
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name = '', description, parameters, parametersJsonSchema }) => {
        return { name, description, parameters: parametersJsonSchema ?? parameters }
      }),
    forced:
      choice?.mode === FunctionCallingConfigMode.ANY ? choice.allowedFunctionNames?.[0] : undefined,
    schema: generationConfig.responseJsonSchema ?? generationConfig.responseSchema,
    reasoning: thinkingConfig?.includeThoughts ?? false,
    search: tools.some(({ googleSearch }) => googleSearch !== undefined),
    stop: stopSequences,
    maxTokens: maxOutputTokens,
    stream: url.includes(':streamGenerateContent'),
  }
}

function readContent({ role, parts = [] }: Content): ReceivedTurn {
  return {
    role: role === 'model' ? 'assistant' : 'user',
    text: textOf(parts),
    files: parts.flatMap(readFile),
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ id: call.id, name: call.name ?? '', input: call.args }] : [],
    ),
    results: parts.flatMap(({ functionResponse: answer }) => {
      if (!answer) return []
      const [text] = Object.values(answer.response ?? {})
      return [{ id: answer.id, name: answer.name ?? '', text: String(text) }]
    }),
    signatures: parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []),
  }
}

function readFile({ inlineData }: Part) {
  if (!inlineData) return []
  const { mimeType: type = '', data = '' } = inlineData
  return [
    { kind: type.startsWith('image/') ? ('image' as const) : 'document', type, data } as const,
  ]
}

function textOf(parts: readonly Part[] = []): string {
  return parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('')
}
