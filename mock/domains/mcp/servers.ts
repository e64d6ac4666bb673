/** The MCP servers of a world that have been called: live connections, so no state that a snapshot holds. */
import type { LiveServer } from './live-server.ts';

export interface McpServers {
  /**
   * The server of a function or sandbox, made when first asked for.
   * `uuid` is the resource's: one created again under its name gets a server of its own, and the old one's sessions end.
   */
  open(key: string, uuid: string, make: () => LiveServer): LiveServer;
  /** Ends the sessions and streams of the function or sandbox, which is deleted. */
  end(key: string): void;
  /** Ends every session and stream, as a world does that is reset or goes; what calls afterwards begins anew. */
  close(): Promise<void>;
  /** Of all servers together. */
  sessions(): number;
}

export function createMcpServers(): McpServers {
  const servers = new Map<string, { readonly uuid: string; readonly live: LiveServer }>();
  return {
    open: (key, uuid, make) => {
      const found = servers.get(key);
      if (found?.uuid === uuid) return found.live;
      void found?.live.close();
      const live = make();
      servers.set(key, { uuid, live });
      return live;
    },
    end: (key) => {
      void servers.get(key)?.live.close();
      servers.delete(key);
    },
    close: async () => {
      const open = [...servers.values()];
      servers.clear();
      await Promise.all(open.map(({ live }) => live.close()));
    },
    sessions: () => servers.values().reduce((sum, { live }) => sum + live.sessions(), 0),
  };
}
