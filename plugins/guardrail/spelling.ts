const plain = /^[\t-\r\x20-\x7e]*$/

/** Invisible characters: format characters, fillers, variation selectors, and controls apart from white space. */
const invisible =
  // oxlint-disable-next-line no-control-regex -- control characters are what it finds
  /[\p{Cf}\p{Default_Ignorable_Code_Point}\0-\x08\x0e-\x1f\x7f-\x9f]/gu

/** Invisible letters, digits and signs of tags, which models read as the ASCII that they encode. */
const tags = /[\u{e0020}-\u{e007e}]/gu

const ofTag = (tag: string) => String.fromCharCode(tag.codePointAt(0)! - 0xe0000)

/**
 * A text as models read it: wide, bold, circled and tag letters and digits become plain ones, without
 * invisible characters. Returns the same text if it is plain already.
 */
export function spelledOut(text: string): string {
  if (plain.test(text)) return text
  return text.normalize('NFKC').replaceAll(tags, ofTag).replaceAll(invisible, '')
}
