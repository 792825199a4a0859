/** What manages a thing. One of the configuration file has no acts that change it. */
export function managerText(managedBy: 'FILE' | 'STORE'): string {
  return managedBy === 'FILE' ? 'the configuration file, where it is changed' : 'the store'
}
