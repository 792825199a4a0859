import type { ImageType } from '../lib/image-type.ts'

/** Bytes that may be large, and are read where they are looked at only. */
export interface ImageContent {
  /** In bytes, all of them. */
  readonly size: number
  /** A range of them; less where there are no more, or no more at hand. */
  read(start: number, end: number): Promise<Buffer>
}

export interface ImageFacts {
  readonly type: ImageType
  readonly width: number
  readonly height: number
  /** Whether parts of it can be transparent. Known of PNG alone. */
  readonly hasAlpha: boolean | undefined
}

/** Which image models there are, since they differ in what they take. */
export interface ImageModels {
  /** Names and patterns of the legacy ones. The first name is meant where a call names no model. */
  readonly legacy: readonly string[]
  /** What is meant instead where such a call asks for what only newer ones can do. */
  readonly current: string
  /** Those whose sizes and qualities are more than the contract's, and their accounts' business. */
  readonly later: readonly string[]
}

export const defaultImageModels: ImageModels = {
  legacy: ['dall-e-2'],
  current: 'gpt-image-1',
  later: ['gpt-image-2*'],
}
