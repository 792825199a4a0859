import {
  type Json,
  type PlaygroundCall,
  type PlaygroundDialect,
  bearer,
  listOf,
  wordsOf,
} from './dialect.ts'

/** The dialects that make audio, images and videos. */
export const mediaDialects: readonly PlaygroundDialect[] = [
  {
    id: 'audio',
    name: 'Speech',
    makes: 'audio',
    call: ({ model, text, voice, format }, key) => ({
      path: '/v1/audio/speech',
      headers: bearer(key),
      body: { model, input: text, voice, response_format: format },
    }),
    textOf: () => '',
  },
  {
    id: 'images',
    name: 'Images',
    makes: 'images',
    call: ({ model, text, size }, key) => ({
      path: '/v1/images/generations',
      headers: bearer(key),
      body: { model, prompt: text, ...(size !== '' && { size }) },
    }),
    textOf: ({ data }) =>
      listOf(data)
        .map(({ revised_prompt, url }) =>
          [revised_prompt, url].map(wordsOf).filter(Boolean).join('\n'),
        )
        .join('\n\n'),
  },
  {
    id: 'videos',
    name: 'Videos',
    makes: 'video',
    call: ({ model, text, size, seconds }, key) => ({
      path: '/v1/videos',
      headers: bearer(key),
      body: {
        model,
        prompt: text,
        ...(size !== '' && { size }),
        ...(seconds !== '' && { seconds }),
      },
    }),
    textOf: () => '',
  },
]

/** The images of a reply, in base64. */
export function imagesOf({ data }: Json): readonly string[] {
  return listOf(data)
    .map(({ b64_json }) => wordsOf(b64_json))
    .filter((text) => text !== '')
}

/** A video that is being made, as its dialect says it. */
export interface VideoJob {
  readonly id: string
  readonly status: string
  /** In percent; undefined: not known. */
  readonly progress: number | undefined
}

/** The job that a reply is about; undefined: it is about none. */
export function jobOf({ id, status, progress }: Json): VideoJob | undefined {
  const name = wordsOf(id)
  if (name === '') return undefined
  return {
    id: name,
    status: wordsOf(status),
    progress: Number.isFinite(Number(progress)) ? Number(progress) : undefined,
  }
}

/** Asks how far a video is, or for its content. */
export function videoCall(id: string, key: string, part: '' | '/content' = ''): PlaygroundCall {
  return {
    method: 'GET',
    path: `/v1/videos/${encodeURIComponent(id)}${part}`,
    headers: bearer(key),
  }
}
