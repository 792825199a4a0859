import { type JsonObject, isGiven, listOf, numberOf, objectOf, objectsOf, textOf } from '../json.ts'
import { type TextRequest, anyJsonObject } from '../text/request.ts'

/** Reads a checked request with camelCase keys. */
export function readGenerateRequest(model: string, body: JsonObject): TextRequest {
  const contents = objectsOf(body['contents'])
  const config = objectOf(body['generationConfig'])
  const lastUser = contents.findLast((content) => content['role'] !== 'model')
  const responses = objectsOf(contents.at(-1)?.['parts'])
    .map((part) => objectOf(part['functionResponse']))
    .filter((response) => 'name' in response)
  return {
    model,
    userText: contentText(lastUser ?? {}),
    toolResults: responses.map(({ response }) => resultText(objectOf(response))),
    toolRounds: countRounds(contents),
    inputText: [objectOf(body['systemInstruction']), ...contents].map(contentText).join('\n'),
    tools: objectsOf(body['tools'])
      .flatMap((generateTool) => objectsOf(generateTool['functionDeclarations']))
      .map(({ name, parameters, parametersJsonSchema }) => ({
        name: textOf(name),
        parameters: parametersJsonSchema ?? parameters,
      })),
    toolChoice: choiceOf(objectOf(objectOf(body['toolConfig'])['functionCallingConfig'])),
    outputSchema: schemaOf(config),
    reasoning: objectOf(config['thinkingConfig'])['includeThoughts'] === true,
    maxTokens: numberOf(config['maxOutputTokens']),
    stop: listOf(config['stopSequences']).map(textOf),
  }
}

function countRounds(contents: JsonObject[]): number {
  const has = (content: JsonObject, kind: string) =>
    objectsOf(content['parts']).some((part) => isGiven(part[kind]))
  const lastUserIndex = contents.findLastIndex(
    (content) => content['role'] !== 'model' && !has(content, 'functionResponse'),
  )
  return contents.slice(lastUserIndex + 1).filter((content) => has(content, 'functionCall')).length
}

function contentText(content: JsonObject): string {
  const texts = objectsOf(content['parts']).filter((part) => typeof part['text'] === 'string')
  return texts.map((part) => textOf(part['text'])).join('\n')
}

// A function response is an object. One whose only member is a text is quoted as that text.
function resultText(response: JsonObject): string {
  const values = Object.values(response)
  const [only] = values
  return values.length === 1 && typeof only === 'string' ? only : JSON.stringify(response)
}

function choiceOf({ mode, allowedFunctionNames }: JsonObject): TextRequest['toolChoice'] {
  if (mode === 'NONE') return 'none'
  if (mode !== 'ANY') return 'auto'
  const [name] = listOf(allowedFunctionNames)
  return typeof name === 'string' ? { name } : 'required'
}

function schemaOf(config: JsonObject): unknown {
  if (config['responseMimeType'] !== 'application/json') return undefined
  return config['responseJsonSchema'] ?? config['responseSchema'] ?? anyJsonObject
}
