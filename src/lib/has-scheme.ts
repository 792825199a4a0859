/** Whether a text begins as URLs do, with a scheme: `https://...`, `data:...`, `local://...`. */
export function hasScheme(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\S/i.test(text)
}
