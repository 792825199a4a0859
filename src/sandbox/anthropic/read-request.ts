import { type JsonObject, listOf, numberOf, objectOf, objectsOf, textOf } from '../json.ts'
import type { TextRequest } from '../text/request.ts'

/** Reads a checked messages request. */
export function readMessagesRequest(body: JsonObject): TextRequest {
  const messages = objectsOf(body['messages'])
  const lastUser = messages.findLast((message) => message['role'] === 'user')
  const results = objectsOf(messages.at(-1)?.['content']).filter(
    (block) => block['type'] === 'tool_result',
  )
  const thinking = textOf(objectOf(body['thinking'])['type'])
  return {
    model: textOf(body['model']),
    userText: contentText(lastUser?.['content']),
    toolResults: results.map((block) => contentText(block['content'])),
    toolRounds: countRounds(messages),
    inputText: [body['system'], ...messages.map((message) => message['content'])]
      .map(contentText)
      .join('\n'),
    tools: objectsOf(body['tools']).map((tool) => ({
      name: textOf(tool['name']),
      parameters: tool['input_schema'],
    })),
    toolChoice: choiceOf(objectOf(body['tool_choice'])),
    outputSchema: objectOf(objectOf(body['output_config'])['format'])['schema'],
    reasoning: thinking === 'enabled' || thinking === 'adaptive',
    maxTokens: numberOf(body['max_tokens']),
    stop: listOf(body['stop_sequences']).map(textOf),
  }
}

function countRounds(messages: JsonObject[]): number {
  const has = ({ content }: JsonObject, type: string) =>
    objectsOf(content).some((block) => block['type'] === type)
  const lastUserIndex = messages.findLastIndex(
    (message) => message['role'] === 'user' && !has(message, 'tool_result'),
  )
  return messages.slice(lastUserIndex + 1).filter((message) => has(message, 'tool_use')).length
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = objectsOf(content).filter((block) => block['type'] === 'text')
  return texts.map((block) => textOf(block['text'])).join('\n')
}

function choiceOf({ type, name }: JsonObject): TextRequest['toolChoice'] {
  if (type === 'tool') return { name: textOf(name) }
  if (type === 'any') return 'required'
  return type === 'none' ? 'none' : 'auto'
}
