import type { ImageContent, ImageFacts } from '../../../src/media/image.ts'
import type { FormPart } from '../../../src/contract/body.ts'

/** An input image or mask of a call. */
export interface InputImage {
  /** The `param` of errors about it. */
  readonly param: string
  readonly place: ImageSource
}

/** The location of an input image. */
type ImageSource =
  | { readonly kind: 'part'; readonly part: FormPart; readonly content: ImageContent }
  /** An upload of the caller, named by its path; `part` is the form part with the path. */
  | {
      readonly kind: 'upload'
      readonly path: string
      readonly part?: FormPart
      readonly content: ImageContent
    }
  /** Base64 in the JSON body. */
  | { readonly kind: 'data'; readonly base64: string; readonly content: ImageContent }
  /** A URL or a file id of the account, which the account validates. `value` is JSON. */
  | { readonly kind: 'elsewhere'; readonly part?: FormPart; readonly value?: unknown }

/** The input images of a call. */
export interface InputImages<P extends InputImage = InputImage> {
  /** In the order that the client means, which may differ from the order of arrival. */
  readonly images: readonly P[]
  readonly mask: P | undefined
}

/** A validated input image. */
export interface CheckedImage extends InputImage {
  /** Facts read from the bytes; `undefined` for remote images. */
  readonly facts: ImageFacts | undefined
}
