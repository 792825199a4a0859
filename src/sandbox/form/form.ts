/** A text part of a form. */
type FormField = { name: string; value: string }

/** A file part of a form. Only the beginning of its content is stored. */
export type FormFile = {
  name: string
  filename: string | undefined
  /** The content type of the part; undefined if the part does not name it. */
  type: string | undefined
  /** In bytes. */
  size: number
  /** The first `formFileHeadBytes` bytes. */
  head: Buffer
  /** Digest of the whole content, in hexadecimal digits. */
  sha256: string
}

/** A parsed `multipart/form-data` body. */
export type Form = { fields: FormField[]; files: FormFile[] }

/** Enough for the header of any image, and for the whole of a small one. */
export const formFileHeadBytes = 1024 * 1024
