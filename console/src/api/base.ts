const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')

/** Where the console is served: the folder above its assets, so that a proxy may add a path before it. */
export const consoleUrl = new URL('../', script?.src ?? location.href)

/** The address of a path of the admin API, such as `graphql`. */
export function adminUrl(path: string): string {
  return new URL(`../${path}`, consoleUrl).href
}
