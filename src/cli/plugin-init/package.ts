/** The versions of a new package's dependencies besides the gateway, as in this package. */
export const versions = { typescript: '^7.0.2', '@types/node': '^26.6.6', zod: '^4.6.7' }

/** The releases of Node that the gateway runs on. */
export const node = '>=24.9.0'

/** `package.json` of a new plugin. `gateway`: the releases of the gateway that it works with. */
export function manifestOf(name: string, gateway: string, isDialect: boolean): string {
  const { zod, ...development } = versions
  return json({
    name,
    version: '0.1.0',
    description: isDialect ? 'A dialect of Dragoman.' : 'A plugin of Dragoman.',
    keywords: ['dragoman', 'dragoman-plugin'],
    type: 'module',
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist'],
    scripts: {
      check: 'tsc -p tsconfig.json',
      // Node before 24 finds no test without a name, and would report success.
      test: 'node --test "test/**/*.test.ts"',
      prepack: 'tsc -p tsconfig.build.json',
    },
    ...(!isDialect && { dependencies: { zod } }),
    devDependencies: development,
    peerDependencies: { dragoman: gateway },
    engines: { node },
  })
}

/** Checks sources and tests; Node runs both as they are. */
export const tsconfig = json({
  compilerOptions: {
    target: 'ES2024',
    lib: ['ES2025', 'ESNext.Disposable'],
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['src', 'test'],
})

/** Writes JavaScript: Node does not run the TypeScript of installed packages. */
export const buildTsconfig = json({
  extends: './tsconfig.json',
  compilerOptions: { noEmit: false, declaration: true, rootDir: 'src', outDir: 'dist' },
  include: ['src'],
})

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
