from engine.fake_library import FakeLibrary
