// npm links pitclock from its folder. Node loads the linked modules; Vitest would transform them, and the tests would
// start in ten seconds instead of one.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { server: { deps: { external: [/\/dist\/src\/.*\.js$/] } } },
})
