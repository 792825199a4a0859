const plain = /^[\t-\r\x20-\x7e]*$/

/** Invisible characters: format characters, fillers, variation selectors, and controls apart from white space. */
const invisible =
  // oxlint-disable-next-line no-control-regex -- control characters are what it finds
  /[\p{Cf}\p{Default_Ignorable_Code_Point}\0-\x08\x0e-\x1f\x7f-\x9f]/gu

/**
 * A text as models read it: wide, bold and circled letters and digits as plain ones, and without invisible
 * characters. Returns the same text if it is plain already.
 */
export function spelledOut(text: string): string {
  return plain.test(text) ? text : text.normalize('NFKC').replaceAll(invisible, '')
}
