import { imageStage } from '../images/stage.ts'

/** A gateway in front of the sandbox, see `imageStage`. */
export const audioStage = imageStage

export const paths = {
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
}

/** A file of so many bytes, which the sandbox takes for a second of audio for each 16,000. */
export function audioFile(bytes = 32_000, name = 'talk.mp3'): File {
  return new File([new Uint8Array(bytes)], name, { type: 'audio/mpeg' })
}

/** The types of the events of a stream. */
export function typesIn(text: string): string[] {
  return [...text.matchAll(/"type":"((?:speech|transcript)\.[\w.]+|error)"/g)].map(
    ([, type]) => type!,
  )
}
