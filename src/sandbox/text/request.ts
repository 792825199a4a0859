/** A request for text of any dialect. The result is decided from it. */
export type TextRequest = {
  model: string
  /** The text parts of the last user message, joined by line ends. */
  userText: string
  /** The tool results at the end of the conversation; empty if it ends otherwise. */
  toolResults: string[]
  /** The rounds of tool calls since the last user message. */
  toolRounds: number
  /** All text of the request, from which its tokens are counted. */
  inputText: string
  tools: ToolDefinition[]
  toolChoice: 'auto' | 'none' | 'required' | { name: string }
  /** The JSON schema that the reply must satisfy; undefined for plain text. */
  outputSchema: unknown
  reasoning: boolean
  /** In tokens; the sandbox counts words. */
  maxTokens: number | undefined
  stop: string[]
}

/** A tool of the request. `freeform`: it takes a text instead of JSON arguments. */
export type ToolDefinition = { name: string; parameters: unknown; freeform?: boolean }

/** The schema of any JSON object, for requests of JSON without a schema. */
export const anyJsonObject = {
  type: 'object',
  properties: { reply: { type: 'string' } },
  required: ['reply'],
}
