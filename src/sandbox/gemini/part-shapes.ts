import { isGiven, isObject } from '../json.ts'
import { ruleFault } from '../fault.ts'
import {
  type Members,
  type Shape,
  anything,
  boolean,
  list,
  number,
  object,
  string,
} from '../shape.ts'

const base64 = string({ pattern: /^[A-Za-z0-9+/_-]*={0,2}$/ })

/** A value of a call that arrives in pieces. */
const partialArgument = object({
  required: { jsonPath: string({ min: 1 }) },
  optional: {
    stringValue: string(),
    numberValue: number(),
    boolValue: boolean,
    nullValue: anything,
    willContinue: boolean,
  },
})

/** The kinds of part; each part is exactly one of them. */
const kinds: Members = {
  text: string(),
  inlineData: object({
    required: { mimeType: string({ min: 1 }), data: base64 },
    optional: { displayName: string() },
  }),
  fileData: object({
    required: { fileUri: string({ min: 1 }) },
    optional: { mimeType: string(), displayName: string() },
  }),
  functionCall: object({
    optional: {
      name: string({ min: 1 }),
      args: object({ open: true }),
      id: string(),
      partialArgs: list(partialArgument),
      willContinue: boolean,
    },
  }),
  functionResponse: object({
    required: { name: string({ min: 1 }), response: object({ open: true }) },
    optional: { id: string(), parts: anything, willContinue: boolean, scheduling: string() },
  }),
  executableCode: object({ open: true }),
  codeExecutionResult: object({ open: true }),
  toolCall: object({ open: true }),
  toolResponse: object({ open: true }),
  audioTranscription: object({ open: true }),
}

/** Members that parts of any kind may have. */
const modifiers: Members = {
  thought: boolean,
  thoughtSignature: base64,
  videoMetadata: anything,
  mediaResolution: anything,
  partMetadata: anything,
  mediaProcessing: anything,
  speechMetadata: anything,
}

const anyPart = object({ optional: { ...kinds, ...modifiers } })

/** One part of a content. */
export const part: Shape = (value, path) => {
  anyPart(value, path)
  const present = Object.keys(kinds).filter((kind) => isObject(value) && isGiven(value[kind]))
  if (present.length === 0)
    throw ruleFault(
      path,
      'Unable to submit request because a part must have one initialized field.',
    )
  if (present.length > 1)
    throw ruleFault(
      path,
      `Invalid value at part 'data': oneof field is already set: ${present.join(', ')}`,
    )
}
