/** What any request for text asks for, whatever the dialect. The answer is decided from it. */
export type TextRequest = {
  model: string
  /** The text parts of the last user message, joined by line ends. */
  userText: string
  /** What the tools answered, if the conversation ends with that; else empty. */
  toolResults: string[]
  /** How often the model has called tools since the user last spoke. */
  toolRounds: number
  /** All text of the request, to estimate its tokens from. */
  inputText: string
  tools: ToolDefinition[]
  toolChoice: 'auto' | 'none' | 'required' | { name: string }
  /** The JSON schema that the reply must satisfy; undefined for plain text. */
  outputSchema: unknown
  reasoning: boolean
  /** Tokens, which here are words. */
  maxTokens: number | undefined
  stop: string[]
}

/** `freeform` tools take a text instead of JSON arguments. */
export type ToolDefinition = { name: string; parameters: unknown; freeform?: boolean }

/** The schema of "any JSON object", for requests that ask for JSON without saying which. */
export const anyJsonObject = {
  type: 'object',
  properties: { reply: { type: 'string' } },
  required: ['reply'],
}
