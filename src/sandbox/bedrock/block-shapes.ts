import { FaultError } from '../fault.ts'
import { isObject } from '../json.ts'
import {
  type Members,
  type Shape,
  anything,
  boolean,
  choice,
  list,
  object,
  string,
} from '../shape.ts'

/** An object with exactly one of these members. */
export function union(members: Members): Shape {
  const one = object({ omittable: members })
  return (value, path) => {
    one(value, path)
    if (!isObject(value) || Object.keys(value).length === 1) return
    throw new FaultError({ kind: 'type', path, expected: 'one member', actual: 'another number' })
  }
}

/** Text that is not blank. */
const text = string({ pattern: /\S/ })

const bytes = string({ pattern: /^[A-Za-z0-9+/]+={0,2}$/ })

const s3Location = object({ required: { uri: string({ pattern: /^s3:\/\// }) } })

function medium(...formats: string[]): Shape {
  return object({
    required: { format: choice(...formats), source: union({ bytes, s3Location }) },
  })
}

const image = medium('png', 'jpeg', 'gif', 'webp')

const document = object({
  required: {
    // Letters, digits, hyphens, brackets and single blanks.
    name: string({ min: 1, max: 200, pattern: /^(?!.*\s\s)[A-Za-z0-9\s\-()[\]]+$/ }),
    source: union({ bytes, text, content: list(union({ text })), s3Location }),
  },
  omittable: {
    format: choice('pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md'),
    context: string({ min: 1 }),
    citations: object({ required: { enabled: boolean } }),
  },
})

const video = medium('mkv', 'mov', 'mp4', 'webm', 'flv', 'mpeg', 'mpg', 'wmv', 'three_gp')

const audio = medium('mp3', 'opus', 'wav', 'aac', 'flac', 'mp4', 'ogg', 'm4a', 'webm', 'pcm')

const toolUseId = string({ pattern: /^[a-zA-Z0-9_-]{1,64}$/ })

/** The name of a tool. */
export const toolName = string({ pattern: /^[a-zA-Z0-9_-]{1,64}$/ })

/** The end of a part of the prompt that is cached. */
export const cachePoint = object({
  required: { type: choice('default') },
  omittable: { ttl: choice('5m', '1h') },
})

const jsonObject = object({ open: true })

const toolResult = object({
  required: {
    toolUseId,
    content: list(
      union({ json: jsonObject, text, image, document, video, searchResult: anything }),
    ),
  },
  omittable: { status: choice('success', 'error') },
})

const reasoningContent = union({
  reasoningText: object({
    required: { text: string() },
    omittable: { signature: string({ min: 1 }) },
  }),
  redactedContent: bytes,
})

/** A block of a system prompt. */
export const systemBlock = union({ text, cachePoint, guardContent: anything })

/** A block of a message. */
export const contentBlock = union({
  text,
  image,
  document,
  video,
  audio,
  toolUse: object({
    required: { toolUseId, name: toolName, input: jsonObject },
    omittable: { type: choice('server_tool_use') },
  }),
  toolResult,
  reasoningContent,
  cachePoint,
  guardContent: anything,
  citationsContent: anything,
  searchResult: anything,
})
