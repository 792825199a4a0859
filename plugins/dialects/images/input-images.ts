import type { ImageContent, ImageFacts } from '../../../src/media/image.ts'
import type { FormPart } from '../../../src/contract/body.ts'

/** An image or a mask that a call brings along. */
export interface InputImage {
  /** What errors call it. */
  readonly param: string
  readonly place: ImageSource
}

export type ImageSource =
  | { readonly kind: 'part'; readonly part: FormPart; readonly content: ImageContent }
  /** An upload of the caller's, by its path; `part` where that stands in a form. */
  | {
      readonly kind: 'upload'
      readonly path: string
      readonly part?: FormPart
      readonly content: ImageContent
    }
  /** Its bytes stand in the JSON. */
  | { readonly kind: 'data'; readonly base64: string; readonly content: ImageContent }
  /** A URL, or a file of the account's: whoever fetches it looks at it. `value` is JSON. */
  | { readonly kind: 'elsewhere'; readonly part?: FormPart; readonly value?: unknown }

export interface InputImages<P extends InputImage = InputImage> {
  /** As they are meant, which may not be how they came. */
  readonly images: readonly P[]
  readonly mask: P | undefined
}

/** What its bytes show, where they are here. */
export interface CheckedImage extends InputImage {
  readonly facts: ImageFacts | undefined
}
