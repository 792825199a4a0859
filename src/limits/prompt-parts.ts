import type { RequestBody } from '../contract/body.ts'
import { isObject } from '../lib/json/object.ts'
import { stringAt } from '../lib/json/read.ts'

/** What a prompt costs besides its text and its media in base64. */
export interface PromptParts {
  /** The pictures, sounds and documents that it names by URLs. */
  readonly urls: number
  /** Whether it asks for its tokens to be written to a cache, and for how long. */
  readonly cacheWrites: 'none' | 'short' | 'hour'
  /** Whether the model may search the web. */
  readonly mayAskWeb: boolean
  /** The model that may draw images for the reply. Absent: none may. */
  readonly drawnBy?: string
}

/** The model that draws at OpenAI where a request names none. */
export const usualArtist = 'gpt-image-1'

/** Members with the parts of a prompt, in the words of any dialect. */
const lists = ['system', 'tools', 'messages', 'input', 'contents'] as const

/** Members of parts with parts in them. */
const inner = ['content', 'parts', 'output'] as const

/** A result of a tool in a message has parts at the third level. */
const deepest = 4

/** Looks at the parts of a request. A member that is released has none. */
export function promptPartsOf({ json }: Pick<RequestBody, 'json'>): PromptParts {
  const found: Found = {
    urls: 0,
    cacheWrites: 'none',
    mayAskWeb: json.web_search_options !== undefined,
  }
  noteCache(json.cache_control, found)
  for (const name of lists) look(json[name], found, deepest)
  return found
}

type Found = { -readonly [Name in keyof PromptParts]: PromptParts[Name] }

function look(value: unknown, found: Found, levels: number): void {
  if (levels === 0) return
  if (Array.isArray(value)) for (const one of value) lookAt(one, found, levels)
  else if (isObject(value)) lookAt(value, found, levels)
}

function lookAt(part: unknown, found: Found, levels: number): void {
  if (!isObject(part)) return
  noteCache(part.cache_control, found)
  if (isByUrl(part)) found.urls++
  if (searches(part)) found.mayAskWeb = true
  if (part.type === 'image_generation') found.drawnBy = stringAt(part, 'model') ?? usualArtist
  for (const name of inner) look(part[name], found, levels - 1)
}

function noteCache(control: unknown, found: Found): void {
  if (!isObject(control)) return
  if (control.ttl === '1h') found.cacheWrites = 'hour'
  else if (found.cacheWrites === 'none') found.cacheWrites = 'short'
}

/** The members of parts that may name a URL, themselves or in one of their own. */
const sources = ['image_url', 'file_url', 'source', 'fileData', 'file_data', 'video_url'] as const

function isByUrl(part: Readonly<Record<string, unknown>>): boolean {
  return sources.some((name) => {
    const source = part[name]
    const named = isObject(source) ? (source.url ?? source.fileUri ?? source.file_uri) : source
    return typeof named === 'string' && /^https?:/.test(named)
  })
}

/** Tools by which models search, in the words of any dialect. */
function searches(tool: Readonly<Record<string, unknown>>): boolean {
  if (typeof tool.type === 'string') return tool.type.startsWith('web_search')
  return 'google_search' in tool || 'googleSearch' in tool
}
