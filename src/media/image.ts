import type { ImageType } from '../lib/image-type.ts'

/** The content of an image, which may be large. Only the ranges that a check needs are read. */
export interface ImageContent {
  /** The whole size, in bytes. */
  readonly size: number
  /** Reads a range. The result is shorter where the content, or the available part of it, ends. */
  read(start: number, end: number): Promise<Buffer>
}

/** The properties of an image, from the header of its file. Sizes are in pixels. */
export interface ImageFacts {
  readonly type: ImageType
  readonly width: number
  readonly height: number
  /** Whether parts of it can be transparent. `undefined` for formats other than PNG. */
  readonly hasAlpha: boolean | undefined
}

/** The names of image models, by their generation: generations differ in their parameters. */
export interface ImageModels {
  /** Names and patterns of legacy models. The first name is the default model. */
  readonly legacy: readonly string[]
  /** The default model of calls with parameters that only newer models support. */
  readonly current: string
  /**
   * Names and patterns of models with further sizes and qualities. The gateway does not check those
   * parameters; the accounts do.
   */
  readonly later: readonly string[]
}

/** The image models of OpenAI. */
export const defaultImageModels: ImageModels = {
  legacy: ['dall-e-2'],
  current: 'gpt-image-1',
  later: ['gpt-image-2*'],
}
