import type { Config } from './config.ts'

/** Identity, for types and completion in `dragoman.config.ts`. */
export function defineConfig(config: Config): Config {
  return config
}
