/** Whether clients speak a dialect that accounts speak: calls to the others come in another, and are translated. */
export function isOfClients(dialect: string): boolean {
  return dialect !== 'converse'
}
