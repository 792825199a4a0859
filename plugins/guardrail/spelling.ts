const ascii = /^[\0-\x7f]*$/

/**
 * A text as models read it: wide, bold and circled letters and digits as plain ones, and without invisible
 * characters. Returns the same text if it is plain already.
 */
export function spelledOut(text: string): string {
  return ascii.test(text) ? text : text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
}
