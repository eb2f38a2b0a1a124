// npm links a package from a folder. Node loads its modules as they are, which Vitest does by itself only for
// packages in node_modules: the tests start in one second instead of ten.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { server: { deps: { external: [/\/dist\//] } } },
})
