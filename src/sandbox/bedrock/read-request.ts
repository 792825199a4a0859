import { type JsonObject, listOf, numberOf, objectOf, objectsOf, textOf } from '../json.ts'
import type { TextRequest } from '../text/request.ts'

/** Reads a checked request of Converse. */
export function readConverseRequest(model: string, body: JsonObject): TextRequest {
  const messages = objectsOf(body['messages'])
  const lastUser = messages.findLast(({ role }) => role === 'user')
  const results = blocksOf(messages.at(-1)).flatMap(({ toolResult }) => toolResult ?? [])
  const { maxTokens, stopSequences } = objectOf(body['inferenceConfig'])
  const { tools, toolChoice } = objectOf(body['toolConfig'])
  const { thinking, reasoning_effort } = objectOf(body['additionalModelRequestFields'])
  return {
    model,
    userText: textIn(blocksOf(lastUser)),
    toolResults: results.map((result) => textIn(objectsOf(objectOf(result)['content']))),
    toolRounds: countRounds(messages),
    inputText: [body['system'], ...messages.map(({ content }) => content)]
      .map((blocks) => textIn(objectsOf(blocks)))
      .join('\n'),
    tools: objectsOf(tools).flatMap(({ toolSpec }) => {
      const { name, inputSchema } = objectOf(toolSpec)
      return name ? [{ name: textOf(name), parameters: objectOf(inputSchema)['json'] }] : []
    }),
    toolChoice: choiceOf(objectOf(toolChoice)),
    outputSchema: schemaOf(body),
    reasoning:
      ['enabled', 'adaptive'].includes(textOf(objectOf(thinking)['type'])) ||
      reasoning_effort !== undefined,
    maxTokens: numberOf(maxTokens),
    stop: listOf(stopSequences).map(textOf),
  }
}

function blocksOf(message: JsonObject | undefined): JsonObject[] {
  return objectsOf(message?.['content'])
}

function textIn(blocks: JsonObject[]): string {
  return blocks.flatMap(({ text }) => textOf(text) || []).join('\n')
}

function countRounds(messages: JsonObject[]): number {
  const lastUser = messages.findLastIndex(
    (message) =>
      message['role'] === 'user' && !blocksOf(message).some((block) => 'toolResult' in block),
  )
  const after = messages.slice(lastUser + 1)
  return after.filter((message) => blocksOf(message).some((block) => 'toolUse' in block)).length
}

function choiceOf({ any, tool }: JsonObject): TextRequest['toolChoice'] {
  if (tool) return { name: textOf(objectOf(tool)['name']) }
  return any ? 'required' : 'auto'
}

// The schema is a text of JSON.
function schemaOf(body: JsonObject): unknown {
  const { structure } = objectOf(objectOf(body['outputConfig'])['textFormat'])
  const { schema } = objectOf(objectOf(structure)['jsonSchema'])
  return schema === undefined ? undefined : JSON.parse(textOf(schema))
}
