/** A text part of a form. */
export type FormField = { name: string; value: string }

/** A file part of a form. Of its content only the beginning is kept. */
export type FormFile = {
  name: string
  filename: string | undefined
  /** The content type of the part; undefined where it has none. */
  type: string | undefined
  /** How many bytes it has. */
  size: number
  /** Its first bytes, as many as `keptOfFile`. */
  head: Buffer
  /** Hexadecimal digest of the whole content. */
  sha256: string
}

/** A `multipart/form-data` body. */
export type Form = { fields: FormField[]; files: FormFile[] }

/** Enough for what the head of an image says, and for the whole of a small one. */
export const formFileHeadBytes = 1024 * 1024
